package habemus.peers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What sessions take that do nothing but live. */
final class Idleness {

    private static final double SETTLING = 5; // seconds

    private Idleness() {}

    /** @param opened all that were, also if this fails */
    static Map<String, Double> watch(Step.Idle idle, Peer peer, List<Peer.Session> opened, long pid) throws Exception {
        for (int i = 0; i < idle.sessions(); i++) {
            opened.add(peer.connect());
        }
        Loads.sleep(SETTLING);
        var before = peer.entries();
        long begin = System.nanoTime();
        Loads.sleep(idle.seconds());
        var after = peer.entries();
        double minutes = (System.nanoTime() - begin) / 60e9;
        var figures = new HashMap<String, Double>();
        if (before.isPresent() && after.isPresent()) {
            figures.put(Answer.ENTRIES, (after.getAsLong() - before.getAsLong()) / minutes);
        }
        figures.put(Answer.MEMORY, Machine.memory(pid));
        Machine.heap(pid).ifPresent(megabytes -> figures.put(Answer.HEAP, megabytes));
        return figures;
    }
}
