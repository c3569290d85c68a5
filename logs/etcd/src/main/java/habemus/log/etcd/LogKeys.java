package habemus.log.etcd;

import habemus.protocol.NodeId;
import java.util.HexFormat;

/**
 * The keys of one log. All that nodes have to follow is below {@code log/}, so that one watch delivers it in one order.
 *
 * <pre>
 * identity                         format, cluster id, id of the etcd cluster
 * writers/NODE                     the incarnation and the last batch of a node
 * chunks/REVISION-NODE/NUMBER      a part of a snapshot
 * log/epoch                        who leads
 * log/heartbeat                    changed by the leader
 * log/members/NODE                 the address of a node; empty if it was removed
 * log/snapshot                     the current snapshot
 * log/entries/NODE-INCARNATION/NUMBER   a batch of entries
 * </pre>
 *
 * @param root such as {@code /habemus/NAME/}
 */
record LogKeys(String root) {

    private static final HexFormat HEX = HexFormat.of();

    String identity() {
        return root + "identity";
    }

    String writer(NodeId node) {
        return root + "writers/" + node;
    }

    KeyValueStore.KeyRange followed() {
        return KeyValueStore.KeyRange.prefix(root + "log/");
    }

    String epoch() {
        return root + "log/epoch";
    }

    String heartbeat() {
        return root + "log/heartbeat";
    }

    private String members() {
        return root + "log/members/";
    }

    KeyValueStore.KeyRange allMembers() {
        return KeyValueStore.KeyRange.prefix(members());
    }

    String member(NodeId node) {
        return members() + node;
    }

    boolean isMember(String key) {
        return key.startsWith(members());
    }

    NodeId memberOf(String key) {
        return new NodeId(Integer.parseInt(key.substring(members().length() + 1)));
    }

    String snapshot() {
        return root + "log/snapshot";
    }

    private String entries() {
        return root + "log/entries/";
    }

    KeyValueStore.KeyRange allEntries() {
        return KeyValueStore.KeyRange.prefix(entries());
    }

    boolean isEntry(String key) {
        return key.startsWith(entries());
    }

    /** @param incarnation random, of one life of the node */
    static String writerName(NodeId node, long incarnation) {
        return node + "-" + HEX.toHexDigits(incarnation);
    }

    static NodeId nodeOf(String writerName) {
        return new NodeId(Integer.parseInt(writerName.substring(1, writerName.indexOf('-'))));
    }

    String entry(String writer, long number) {
        return entries() + writer + "/" + HEX.toHexDigits(number);
    }

    String writerOf(String entryKey) {
        return entryKey.substring(entries().length(), entryKey.lastIndexOf('/'));
    }

    static long numberOf(String entryKey) {
        return HexFormat.fromHexDigitsToLong(entryKey, entryKey.lastIndexOf('/') + 1, entryKey.length());
    }

    /** @param last inclusive */
    KeyValueStore.KeyRange entriesOf(String writer, long first, long last) {
        return new KeyValueStore.KeyRange(entry(writer, first), entry(writer, last + 1));
    }

    /** The chunks of a snapshot sort by its revision. */
    String chunkFolder(long revision, NodeId node) {
        return root + "chunks/" + HEX.toHexDigits(revision) + "-" + node + "/";
    }

    static String chunk(String folder, int number) {
        return folder + "%06d".formatted(number);
    }

    /** The chunks of all snapshots below a revision. */
    KeyValueStore.KeyRange chunksBelow(long revision) {
        return new KeyValueStore.KeyRange(root + "chunks/", root + "chunks/" + HEX.toHexDigits(revision));
    }
}
