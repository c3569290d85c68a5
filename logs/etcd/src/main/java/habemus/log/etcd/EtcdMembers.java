package habemus.log.etcd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import habemus.log.etcd.KeyValueStore.KeyRange;
import habemus.log.etcd.KeyValueStore.KeyValue;
import habemus.log.etcd.KeyValueStore.Put;
import habemus.log.etcd.KeyValueStore.Transaction;
import habemus.log.etcd.LogRecords.Writer;
import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The nodes that have registered themselves. Changes on the loop, and is read by any thread. */
final class EtcdMembers {

    private final NodeId self;
    private final LogKeys keys;
    private final Map<NodeId, Member> members = new TreeMap<>();
    private volatile List<Member> list = List.of();

    EtcdMembers(NodeId self, LogKeys keys) {
        this.self = self;
        this.keys = keys;
    }

    List<Member> list() {
        return list;
    }

    boolean contains(NodeId node) {
        return members.containsKey(node);
    }

    /**
     * The key of a member has changed.
     *
     * @throws IllegalStateException if this node was removed
     */
    void onChange(KeyValue change) {
        var node = keys.memberOf(change.key());
        var address = new String(change.value(), US_ASCII);
        if (!address.isEmpty()) {
            int colon = address.lastIndexOf(':');
            var unresolved = InetSocketAddress.createUnresolved(
                    address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
            members.put(node, new Member(node, unresolved));
        } else if (node.equals(self)) {
            throw new IllegalStateException(self + " was removed\nhint: start it again to add it");
        } else {
            members.remove(node);
        }
        list = List.copyOf(members.values());
    }

    /** Removes a node and its keys. */
    CompletableFuture<Void> forget(KeyValueStore store, NodeId node) {
        return store.commit(remove(node))
                .thenCompose(removed -> store.delete(KeyRange.of(keys.member(node))))
                .thenCompose(deleted -> store.delete(KeyRange.of(keys.writer(node))));
    }

    /** Also ends all transactions of the node. */
    Transaction remove(NodeId node) {
        return new Transaction(
                List.of(),
                List.of(
                        new Put(keys.member(node), new byte[0]),
                        new Put(keys.writer(node), new Writer("removed", 0).encode())),
                List.of());
    }
}
