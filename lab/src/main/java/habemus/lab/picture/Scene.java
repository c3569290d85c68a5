package habemus.lab.picture;

import habemus.lab.trace.Recording;
import habemus.protocol.Background;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.TraceLine;
import java.util.List;

/** What all pictures of a run have in common: everything that is derived from its lines. */
record Scene(
        Recording recording,
        Moments moments,
        List<Span> spans,
        List<Clash> clashes,
        List<Arrow> arrows,
        List<Band> bands,
        int leftOut) {

    /** Of a run that is longer, only the first moments are shown. */
    static Scene of(Recording recording, int mostMoments) {
        var all = Moments.of(recording.lines());
        int end = 0;
        while (end < recording.lines().size() && all.of(end) < mostMoments) {
            end++;
        }
        var shown = new Recording(
                recording.title(), recording.nodes(), recording.lines().subList(0, end));
        var spans = Spans.of(shown);
        return new Scene(
                shown,
                Moments.of(shown.lines()),
                spans,
                Clash.in(spans),
                Arrows.in(shown.lines()),
                Band.in(shown.lines()),
                Math.max(0, all.count() - mostMoments));
    }

    static Scene of(Recording recording) {
        return of(recording, Integer.MAX_VALUE);
    }

    Grain grain() {
        return Grain.of(this);
    }

    List<NodeId> nodes() {
        return recording.nodes();
    }

    List<TraceLine> lines() {
        return recording.lines();
    }

    /** Whether it is about who leads, rather than who is inside. */
    boolean isElection() {
        return lines().stream()
                .anyMatch(line -> line instanceof TraceLine.Stepped stepped && stepped.event() instanceof Event.Campaign
                        || line instanceof TraceLine.Acted acted
                                && acted.effects().stream().anyMatch(Effect.Elected.class::isInstance));
    }

    /** Whether it has heartbeats or suspicions, and is no election. */
    boolean isDetector() {
        return !isElection()
                && (arrows().stream()
                                .anyMatch(arrow -> Background.is(arrow.mail().message()))
                        || spans.stream().anyMatch(span -> span.condition() instanceof Condition.Suspecting));
    }

    List<Span> spansOf(NodeId node) {
        return spans.stream().filter(span -> span.node().equals(node)).toList();
    }
}
