/** What the log keeps, as bytes: its entries, and snapshots of the table. */
@NullMarked
package habemus.archive;

import org.jspecify.annotations.NullMarked;
