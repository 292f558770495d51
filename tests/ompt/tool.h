/* Interface of a program and tool.c. */
#ifndef TESTS_OMPT_TOOL_H
#define TESTS_OMPT_TOOL_H

/* Names an address. */
void tool_name(const void *address, const char *name);

/* Defined by the program: names the code at a return address. */
const char *tool_place(const void *code);

#endif
