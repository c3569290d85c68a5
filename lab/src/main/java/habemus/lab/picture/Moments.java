package habemus.lab.picture;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.Mail;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The instants of a run as a picture tells them apart. Lines of one time share a moment, unless one follows from
 * another: two steps of one node, or the sending of a message and its receipt.
 */
final class Moments {

    private final int[] ofLine;
    private final List<Long> times;

    private Moments(int[] ofLine, List<Long> times) {
        this.ofLine = ofLine;
        this.times = times;
    }

    static Moments of(List<TraceLine> lines) {
        var ofLine = new int[lines.size()];
        var times = new ArrayList<Long>();
        var busy = new HashSet<NodeId>();
        var posted = new HashSet<Long>();
        for (int i = 0; i < ofLine.length; i++) {
            var line = lines.get(i);
            boolean later = times.isEmpty() || line.at() != times.get(times.size() - 1);
            if (later || follows(line, busy, posted)) {
                times.add(line.at());
                busy.clear();
                posted.clear();
            }
            ofLine[i] = times.size() - 1;
            note(line, busy, posted);
        }
        return new Moments(ofLine, times);
    }

    private static boolean follows(TraceLine line, Set<NodeId> busy, Set<Long> posted) {
        return switch (line) {
            case TraceLine.Started started -> busy.contains(started.node());
            case TraceLine.Stepped stepped -> busy.contains(stepped.node()) || posted.contains(stepped.mail());
            case TraceLine.Heard heard -> posted.contains(heard.mail().number());
            case TraceLine.Struck(var at, Fault.Crash(var node)) -> busy.contains(node);
            case TraceLine.Struck(var at, Fault.Pause(var node)) -> busy.contains(node);
            default -> false;
        };
    }

    private static void note(TraceLine line, Set<NodeId> busy, Set<Long> posted) {
        switch (line) {
            case TraceLine.Acted acted
            when !isUneventful(acted) -> {
                busy.add(acted.node());
                acted.sent().stream().map(Mail::number).forEach(posted::add);
            }
            case TraceLine.Told told -> posted.add(told.mail().number());
            case TraceLine.Struck(var at, Fault.Crash(var node)) -> busy.add(node);
            case TraceLine.Struck(var at, Fault.Pause(var node)) -> busy.add(node);
            default -> {}
        }
    }

    /** Whether nothing is seen of it: every node starts once. */
    static boolean isUneventful(TraceLine.Acted acted) {
        return acted instanceof TraceLine.Started started
                && started.how() == TraceLine.Start.FIRST
                && started.sent().isEmpty();
    }

    int count() {
        return times.size();
    }

    long at(int moment) {
        return times.get(moment);
    }

    /** The moment of a line; after the last line comes one more, the end of the picture. */
    int of(int line) {
        return line < ofLine.length ? ofLine[line] : times.size();
    }
}
