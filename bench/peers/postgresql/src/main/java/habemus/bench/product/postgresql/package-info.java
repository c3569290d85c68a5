/** Locks in one PostgreSQL server: those of Habemus, of ShedLock, and advisory locks. */
@NullMarked
package habemus.bench.product.postgresql;

import org.jspecify.annotations.NullMarked;
