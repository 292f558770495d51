/* What a program with tool.c gives and has to give. */
#ifndef TESTS_OMPT_TOOL_H
#define TESTS_OMPT_TOOL_H

/* The name to print for an address. */
void tool_name(const void *address, const char *name);

/* The program's: name of the code at a return address. */
const char *tool_place(const void *code);

#endif
