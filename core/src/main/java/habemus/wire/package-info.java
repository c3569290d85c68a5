/** Values to bytes and back, derived from their types. */
@NullMarked
package habemus.wire;

import org.jspecify.annotations.NullMarked;
