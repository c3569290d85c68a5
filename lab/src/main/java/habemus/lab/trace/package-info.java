/** What was recorded of a run, as lines of text for people and as lines of JSON for programs. */
@NullMarked
package habemus.lab.trace;

import org.jspecify.annotations.NullMarked;
