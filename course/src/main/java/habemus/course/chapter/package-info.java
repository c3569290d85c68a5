/** The chapter on concurrency as small Java programs: each shows a few claims on the running JVM. */
@NullMarked
package habemus.course.chapter;

import org.jspecify.annotations.NullMarked;
