/** Compiles Java sources in memory, and loads algorithms from a file outside the source tree. */
@NullMarked
package habemus.lab.source;

import org.jspecify.annotations.NullMarked;
