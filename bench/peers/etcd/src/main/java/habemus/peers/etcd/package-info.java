/** etcd and its lock service, as jetcd calls it. */
@NullMarked
package habemus.peers.etcd;

import org.jspecify.annotations.NullMarked;
