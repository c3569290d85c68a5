/**
 * The lock table: the replicated state machine that grants, queues, expires and remembers. Applying a command is a
 * pure function.
 */
@NullMarked
package habemus.lockservice.table;

import org.jspecify.annotations.NullMarked;
