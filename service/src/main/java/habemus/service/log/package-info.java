/** A log that several nodes keep together, on disk, and that a machine on each of them is told in one order. */
@NullMarked
package habemus.service.log;

import org.jspecify.annotations.NullMarked;
