package habemus.cli;

import habemus.lab.picture.Mermaid;
import habemus.lab.picture.RunSvg;
import habemus.lab.picture.TrafficSvg;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TraceJson;
import habemus.lab.trace.TraceText;
import habemus.world.Topology;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The files that a run leaves behind. All of them are opened before it, so that no long run is made in vain. */
final class RunFiles implements AutoCloseable {

    private final List<WholeFile> all = new ArrayList<>();
    private final Optional<WholeFile> svg;
    private final Optional<WholeFile> mermaid;
    private final Optional<WholeFile> traffic;
    private final Optional<WholeFile> trace;
    private final boolean asText;

    RunFiles(Output output) {
        try {
            svg = open(output.svg());
            mermaid = open(output.mermaid());
            traffic = open(output.traffic());
            trace = open(output.trace().filter(name -> !name.equals("-")));
        } catch (Refusal unwritable) {
            close();
            throw unwritable;
        }
        asText = output.trace().filter(name -> name.endsWith(".txt")).isPresent();
    }

    private Optional<WholeFile> open(Optional<String> name) {
        var file = name.map(WholeFile::new);
        file.ifPresent(all::add);
        return file;
    }

    boolean wantTrace() {
        return trace.isPresent();
    }

    void write(TraceLine line) {
        trace.ifPresent(file -> {
            if (asText) {
                TraceText.of(line).forEach(text -> file.write(text + "\n"));
            } else {
                file.write(TraceJson.of(line) + "\n");
            }
        });
    }

    /** Draws the pictures and puts all files in their places. */
    void finish(Supplier<Recording> recording, Topology topology) {
        svg.ifPresent(file -> file.write(RunSvg.draw(recording.get())));
        mermaid.ifPresent(file -> file.write(Mermaid.draw(recording.get())));
        traffic.ifPresent(file -> file.write(TrafficSvg.draw(recording.get(), topology)));
        all.forEach(WholeFile::keep);
    }

    @Override
    public void close() {
        all.forEach(WholeFile::close);
    }
}
