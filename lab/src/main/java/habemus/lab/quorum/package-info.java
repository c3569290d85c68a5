/** How likely it is that coordinators forget so many grants that two get in. */
@NullMarked
package habemus.lab.quorum;

import org.jspecify.annotations.NullMarked;
