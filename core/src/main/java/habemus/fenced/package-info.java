/** The production lock: the table that the log replicates, and the session of a client, as pure machines. */
@NullMarked
package habemus.fenced;

import org.jspecify.annotations.NullMarked;
