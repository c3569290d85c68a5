/** Histories of clients, and the checker that judges them. */
@NullMarked
package habemus.harness.history;

import org.jspecify.annotations.NullMarked;
