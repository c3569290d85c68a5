/**
 * Programs of threads that share memory, each with its broken and its correct forms. A program is a list of statements
 * for each thread. {@link habemus.threads.ThreadMachine} runs it as a protocol: a statement that accesses a shared
 * object sends a message to the object and waits for the answer.
 */
@NullMarked
package habemus.threads;

import org.jspecify.annotations.NullMarked;
