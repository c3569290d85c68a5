/** The rule for the names of locks, semaphores, elections, clients and principals, and how texts are shown. */
@NullMarked
package habemus.lockservice.name;

import org.jspecify.annotations.NullMarked;
