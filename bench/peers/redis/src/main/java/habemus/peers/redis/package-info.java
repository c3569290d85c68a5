/** Redis and the locks of Redisson. */
@NullMarked
package habemus.peers.redis;

import org.jspecify.annotations.NullMarked;
