/** A paged query from servers that keep the cursor of a client, and from servers that do not. */
@NullMarked
package habemus.course.servers.session;

import org.jspecify.annotations.NullMarked;
