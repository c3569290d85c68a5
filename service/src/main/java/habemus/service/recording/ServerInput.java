package habemus.service.recording;

import habemus.lockservice.protocol.LockServer;
import habemus.lockservice.protocol.Message;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.WireTags;

/** An event of the lock server. */
@WireTags({
    ServerInput.Requested.class,
    ServerInput.FromLog.class,
    ServerInput.TimedOut.class,
    ServerInput.Disconnected.class
})
public sealed interface ServerInput {

    FromLog FROM_LOG = new FromLog();

    record Requested(NodeId client, Message.ClientRequest request) implements ServerInput {}

    /** The next message of the node's log: entries, a snapshot or a change of the leader, in the order of its steps. */
    record FromLog() implements ServerInput {}

    record TimedOut(LockServer.Timer timer) implements ServerInput {}

    record Disconnected(NodeSet clients) implements ServerInput {}
}
