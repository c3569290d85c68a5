/** Exercises: their texts, the files that students fill in, and the checks of these files. */
@NullMarked
package habemus.course.exercise;

import org.jspecify.annotations.NullMarked;
