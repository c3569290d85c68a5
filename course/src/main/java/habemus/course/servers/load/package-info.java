/** Open-loop and closed-loop load on the lock coordinator, and what it measures. */
@NullMarked
package habemus.course.servers.load;

import org.jspecify.annotations.NullMarked;
