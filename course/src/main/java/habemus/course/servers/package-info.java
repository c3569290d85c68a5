/** The central lock coordinator as a TCP server in six forms, and the load that measures them. */
@NullMarked
package habemus.course.servers;

import org.jspecify.annotations.NullMarked;
