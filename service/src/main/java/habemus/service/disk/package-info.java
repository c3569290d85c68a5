/** Files that are there as a whole, and known to be what was written. */
@NullMarked
package habemus.service.disk;

import org.jspecify.annotations.NullMarked;
