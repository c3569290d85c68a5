/** The replicated log on PostgreSQL. */
@NullMarked
package habemus.log.postgresql;

import org.jspecify.annotations.NullMarked;
