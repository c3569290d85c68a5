/** The lock service as values: operations, results, commands, and what an operator sees of a resource. */
@NullMarked
package habemus.lockservice;

import org.jspecify.annotations.NullMarked;
