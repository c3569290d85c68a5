/** Commands of the course: threads, servers, exercises. */
@NullMarked
package habemus.cli.course;

import org.jspecify.annotations.NullMarked;
