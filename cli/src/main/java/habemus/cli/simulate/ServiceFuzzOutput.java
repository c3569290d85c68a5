package habemus.cli.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.harness.simulation.FaultPlan;
import habemus.harness.simulation.FaultPlan.PlannedFault;
import habemus.harness.simulation.ServiceFault;
import habemus.harness.simulation.ServiceFuzzer;
import habemus.harness.simulation.ServiceSituation;
import habemus.harness.simulation.SimulatedRun;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What {@code habemus fuzz service} prints. It depends on the seeds only.
 *
 * @param shrunk the first violation, shrunk
 * @param defect that is planted in the program
 */
record ServiceFuzzOutput(ServiceFuzzer.Result result, Optional<SimulatedRun> shrunk, Optional<String> defect) {

    private static final int TRACE_LINES = 40;

    /** The command that runs the same again. */
    private String replay(FaultPlan plan) {
        var drawn = FaultPlan.draw(plan.seed());
        var line = new StringBuilder("habemus fuzz service");
        defect.ifPresent(name -> line.append(" --defect ").append(name));
        line.append(" --seed ").append(plan.seed()).append(" --seeds 1 --no-shrink");
        if (plan.nodes() != drawn.nodes()) {
            line.append(" --nodes ").append(plan.nodes());
        }
        if (plan.clients() != drawn.clients()) {
            line.append(" --clients ").append(plan.clients());
        }
        if (plan.faults().size() != drawn.faults().size()) {
            var numbers = plan.faults().stream()
                    .map(PlannedFault::number)
                    .map(String::valueOf)
                    .collect(Collectors.joining(","));
            line.append(" --faults ").append(numbers.isEmpty() ? ServiceFuzz.NO_FAULTS : numbers);
        }
        return line.toString();
    }

    /** Equal if the runs have sent the same bytes at the same times. */
    private String hash() {
        return "%016x".formatted(result.hash());
    }

    private String violated() {
        return result.violations().isEmpty()
                ? "nothing"
                : result.violations().stream()
                        .map(run -> run.violated().orElseThrow())
                        .collect(Collectors.joining(", "));
    }

    void print(PrintStream out) {
        var row = "%-10s %12s %16s %18s   %s%n";
        out.printf(Locale.ROOT, row, "", "seeds", "events", "hash", "violated");
        out.printf(Locale.ROOT, row, ServiceFuzz.NAME, result.seeds(), result.events(), hash(), violated());
        out.println();
        out.println("service: the faults, " + result.coverage().faults() / Math.max(1, result.seeds()) + " a run");
        for (var fault : ServiceFault.values()) {
            out.printf(Locale.ROOT, "%,15d  %s%n", result.coverage().of(fault), fault.sentence());
        }
        out.println();
        out.println("service: what the runs went through");
        for (var situation : ServiceSituation.values()) {
            out.printf(Locale.ROOT, "%,15d  %s%n", result.coverage().of(situation), situation.sentence());
        }
        for (var run : result.violations()) {
            out.println();
            out.println("service: " + run.violated().orElseThrow() + ", replay with");
            out.println("  " + replay(run.plan()));
        }
        shrunk.ifPresent(run -> print(run, out));
    }

    private void print(SimulatedRun run, PrintStream out) {
        out.println();
        out.println(run.violated().orElse("nothing") + ", with "
                + run.plan().faults().size() + " faults and " + run.plan().clients() + " clients: " + run.detail());
        out.println();
        var lines = run.lastLines();
        lines.subList(Math.max(0, lines.size() - TRACE_LINES), lines.size()).forEach(line -> out.println("  " + line));
        out.println();
        out.println("  " + replay(run.plan()));
    }

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("seeds", result.seeds());
        json.addProperty("events", result.events());
        json.addProperty("hash", hash());
        var violations = new JsonArray();
        result.violations().forEach(run -> violations.add(json(run)));
        json.add("violations", violations);
        var faults = new JsonObject();
        for (var fault : ServiceFault.values()) {
            faults.addProperty(fault.toString(), result.coverage().of(fault));
        }
        json.add("faults", faults);
        var coverage = new JsonObject();
        for (var situation : ServiceSituation.values()) {
            coverage.addProperty(situation.toString(), result.coverage().of(situation));
        }
        json.add("coverage", coverage);
        shrunk.ifPresent(run -> json.add("shrunk", json(run)));
        return json;
    }

    private JsonObject json(SimulatedRun run) {
        var json = new JsonObject();
        json.addProperty("property", run.violated().orElse(""));
        json.addProperty("seed", run.plan().seed());
        json.addProperty("detail", run.detail());
        json.addProperty("replay", replay(run.plan()));
        return json;
    }
}
