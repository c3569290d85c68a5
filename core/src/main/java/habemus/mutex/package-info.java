/** Only one of us at a time: mutual exclusion, one algorithm a file. */
@NullMarked
package habemus.mutex;

import org.jspecify.annotations.NullMarked;
