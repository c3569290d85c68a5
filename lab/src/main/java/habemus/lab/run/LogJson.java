package habemus.lab.run;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.protocol.NodeId;
import habemus.simulate.LogSummary;

/** The calls and the final logs of a replicated log as JSON. */
public final class LogJson {

    private LogJson() {}

    public static JsonObject of(LogSummary log) {
        var json = new JsonObject();
        json.add("proposals", count(log.proposals(), "committed"));
        json.add("reads", count(log.reads(), "answered"));
        json.add("memberChanges", count(log.memberChanges(), "committed"));
        json.addProperty("snapshots", log.snapshots());
        var nodes = new JsonArray();
        log.logs().forEach(nodeLog -> nodes.add(node(nodeLog)));
        json.add("nodes", nodes);
        return json;
    }

    private static JsonObject count(LogSummary.CallCount count, String done) {
        var json = new JsonObject();
        json.addProperty("made", count.made());
        json.addProperty(done, count.done());
        json.addProperty("rejected", count.rejected());
        json.addProperty("indeterminate", count.indeterminate());
        json.addProperty("open", count.open());
        return json;
    }

    private static JsonObject node(LogSummary.NodeLog nodeLog) {
        var view = nodeLog.view();
        var log = view.log();
        var json = new JsonObject();
        json.addProperty("node", nodeLog.node().toString());
        json.addProperty("down", nodeLog.isDown());
        json.addProperty("leads", view.leads() && !nodeLog.isDown());
        json.addProperty("term", view.term());
        json.addProperty("commitIndex", view.commitIndex());
        json.addProperty("syncedIndex", view.syncedIndex());
        json.addProperty("snapshotIndex", log.baseIndex());
        json.addProperty("snapshotTerm", log.baseTerm());
        var configuration = log.configuration().configuration();
        json.add("voters", names(configuration.voters()));
        json.add("learners", names(configuration.learners()));
        var entries = new JsonArray();
        for (long index = log.baseIndex() + 1; index <= log.lastIndex(); index++) {
            var entry = new JsonObject();
            entry.addProperty("index", index);
            entry.addProperty("term", log.entry(index).term());
            entry.addProperty("content", log.entry(index).content().toString());
            entries.add(entry);
        }
        json.add("entries", entries);
        return json;
    }

    private static JsonArray names(Iterable<NodeId> nodes) {
        var json = new JsonArray();
        nodes.forEach(node -> json.add(node.toString()));
        return json;
    }
}
