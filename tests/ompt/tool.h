/* The interface between the test program and tool.c. */
#ifndef TESTS_OMPT_TOOL_H
#define TESTS_OMPT_TOOL_H

/* Sets the name that the tool prints for this address. */
void tool_name(const void *address, const char *name);

/* Returns the name of the code at a return address. The program defines this function. */
const char *tool_place(const void *code);

#endif
