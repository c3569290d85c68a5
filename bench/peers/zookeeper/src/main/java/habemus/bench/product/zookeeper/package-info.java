/** ZooKeeper and the locks of Curator. */
@NullMarked
package habemus.bench.product.zookeeper;

import org.jspecify.annotations.NullMarked;
