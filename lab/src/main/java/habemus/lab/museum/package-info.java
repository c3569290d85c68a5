/** The museum: every algorithm with a line of it changed, and the run that shows what came of it. */
@NullMarked
package habemus.lab.museum;

import org.jspecify.annotations.NullMarked;
