/** How likely coordinators that restart without their state grant a lock twice. */
@NullMarked
package habemus.lab.quorum;

import org.jspecify.annotations.NullMarked;
