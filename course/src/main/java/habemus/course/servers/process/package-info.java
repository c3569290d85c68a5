/** A server in a JVM of its own: its parent starts, asks and kills it. */
@NullMarked
package habemus.course.servers.process;

import org.jspecify.annotations.NullMarked;
