/**
 * The vocabulary of the lock service: operations and their results, the commands of the log, and what operators see of
 * a resource. Every type is an immutable value.
 */
@NullMarked
package habemus.lockservice;

import org.jspecify.annotations.NullMarked;
