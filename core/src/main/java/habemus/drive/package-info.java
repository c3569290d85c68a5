/** What a process needs in order to drive a machine. It knows no machine. */
@NullMarked
package habemus.drive;

import org.jspecify.annotations.NullMarked;
