/** The thread programs of the catalogue in Java, run on platform and virtual threads of the real JVM. */
@NullMarked
package habemus.course.threads;

import org.jspecify.annotations.NullMarked;
