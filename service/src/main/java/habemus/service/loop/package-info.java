/** One machine for real: an inbox, a thread, a disk, and effects in their order. */
@NullMarked
package habemus.service.loop;

import org.jspecify.annotations.NullMarked;
