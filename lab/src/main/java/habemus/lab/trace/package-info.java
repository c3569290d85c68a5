/** Recorded runs as text for readers and as JSON lines for programs. */
@NullMarked
package habemus.lab.trace;

import org.jspecify.annotations.NullMarked;
