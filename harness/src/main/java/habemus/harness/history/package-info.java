/** Histories of clients, and the checker of their guarantees. */
@NullMarked
package habemus.harness.history;

import org.jspecify.annotations.NullMarked;
