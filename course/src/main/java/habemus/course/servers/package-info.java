/** The central lock coordinator as a TCP server, in six forms that differ in which thread does what. */
@NullMarked
package habemus.course.servers;

import org.jspecify.annotations.NullMarked;
