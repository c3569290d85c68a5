/** ZooKeeper and the locks of Curator. */
@NullMarked
package habemus.peers.zookeeper;

import org.jspecify.annotations.NullMarked;
