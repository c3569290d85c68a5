/** Redis and the locks of Redisson. */
@NullMarked
package habemus.bench.product.redis;

import org.jspecify.annotations.NullMarked;
