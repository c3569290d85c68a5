package habemus.web.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.matrix.CellFinding;
import habemus.lab.matrix.FaultScenario;
import habemus.lab.matrix.MatrixCell;
import habemus.lab.matrix.MatrixRow;
import habemus.smallscope.SmallScopes;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/**
 * The matrix in few bytes: verdicts without runs. A user who wants to see a run checks the cell again.
 *
 * <pre>
 * {"faults":   [{"name", "text", "options"}],   columns; options are those of `habemus check`
 *  "problems": {"mutex": [property]},
 *  "scopes":   [[nodes, entries, callers, 1 if timers fire]],
 *  "lines":    [{"p": problem, "a": algorithm, "v": option, "b": 1 if bag, "s": 1 if synchronous, "c": [cell]}]}
 * </pre>
 *
 * <p>A cell is a text, or empty if it does not apply: the states, the largest complete scope or -, the group of the
 * worst finding or -, then a group for each property of the problem, all separated by blanks. A group is the first
 * letter of the verdict, the scope, and after a dot the steps of the counterexample or the largest bypasses; {@code l}
 * and a number mark a loop. {@code =} repeats the group before it. A further group is a protocol bug.
 */
final class CompactMatrix {

    private static final List<FaultScenario> COLUMNS = Arrays.stream(FaultScenario.values())
            .filter(scenario -> scenario != FaultScenario.REORDER)
            .toList();

    private final List<MatrixRow> rows;
    private final List<SmallScopes.Size> scopes;

    private CompactMatrix(List<MatrixRow> rows) {
        this.rows = rows;
        scopes = List.copyOf(scopes(rows));
    }

    static JsonObject of(List<MatrixRow> rows) {
        return new CompactMatrix(rows).json();
    }

    private static SequencedSet<SmallScopes.Size> scopes(List<MatrixRow> rows) {
        var scopes = new LinkedHashSet<SmallScopes.Size>();
        rows.forEach(row -> {
            row.largestComplete().ifPresent(scopes::add);
            row.findings().forEach(finding -> scopes.add(finding.size()));
        });
        return scopes;
    }

    private JsonObject json() {
        var json = new JsonObject();
        json.add("faults", faults());
        var problems = new JsonObject();
        MatrixRow.PROBLEMS.forEach(problem -> {
            var names = new JsonArray();
            Property.of(problem).forEach(property -> names.add(property.toString()));
            problems.add(problem.toString(), names);
        });
        json.add("problems", problems);
        var sizes = new JsonArray();
        scopes.forEach(scope -> sizes.add(array(
                scope.nodes(), scope.entries(), Math.min(scope.callers(), scope.nodes()), scope.timed() ? 1 : 0)));
        json.add("scopes", sizes);
        var lines = new JsonArray();
        byLine().values().forEach(line -> lines.add(line(line)));
        json.add("lines", lines);
        return json;
    }

    private static JsonArray array(int... numbers) {
        var array = new JsonArray();
        Arrays.stream(numbers).forEach(array::add);
        return array;
    }

    private static JsonArray faults() {
        var faults = new JsonArray();
        for (FaultScenario scenario : COLUMNS) {
            var json = new JsonObject();
            json.addProperty("name", scenario.toString());
            json.addProperty("text", scenario.description());
            json.addProperty("options", options(scenario));
            faults.add(json);
        }
        return faults;
    }

    /** The options of `habemus check` for the fault. */
    private static String options(FaultScenario scenario) {
        return switch (scenario) {
            case NOTHING, REORDER -> "";
            case DUPLICATE -> "--duplicates 1";
            case LOSS -> "--losses 1";
            case PARTITION -> "--partitions 1";
            case PAUSE -> "--pauses 1";
            case BYSTANDER, WAITER, HOLDER, COORDINATOR -> "--crashes 1 --victim " + scenario;
            case RESTART -> "--crashes 1 --restarts 1";
            case AMNESIA -> "--crashes 1 --amnesias 1";
            case SUSPICION -> "--mistakes 1";
        };
    }

    private Map<String, List<MatrixRow>> byLine() {
        return rows.stream()
                .collect(Collectors.groupingBy(
                        row -> {
                            var cell = row.cell();
                            return cell.algorithm().name() + "\n"
                                    + cell.variant().option() + "\n" + cell.network() + "\n" + cell.timing();
                        },
                        LinkedHashMap::new,
                        Collectors.toList()));
    }

    private JsonObject line(List<MatrixRow> line) {
        var cell = line.getFirst().cell();
        var json = new JsonObject();
        json.addProperty("p", cell.algorithm().problem().toString());
        json.addProperty("a", cell.algorithm().name());
        json.addProperty("v", cell.variant().option());
        json.addProperty("b", cell.network().inOrder() ? 0 : 1);
        json.addProperty("s", cell.isSynchronous() ? 1 : 0);
        var cells = new JsonArray();
        for (FaultScenario scenario : COLUMNS) {
            cells.add(line.stream()
                    .filter(row -> column(row.cell()) == scenario)
                    .findFirst()
                    .map(row -> cell(cell.algorithm().problem(), row))
                    .orElse(""));
        }
        json.add("c", cells);
        return json;
    }

    /** Reordering is a network, not a column. */
    private static FaultScenario column(MatrixCell cell) {
        return cell.faultScenario() == FaultScenario.REORDER ? FaultScenario.NOTHING : cell.faultScenario();
    }

    private String cell(Problem problem, MatrixRow row) {
        var groups = new ArrayList<String>();
        groups.add(Long.toString(row.states()));
        groups.add(row.largestComplete()
                .map(scope -> Integer.toString(scopes.indexOf(scope)))
                .orElse("-"));
        var names = new ArrayList<>(
                Property.of(problem).stream().map(Property::toString).toList());
        row.findings().stream()
                .map(CellFinding::property)
                .filter(name -> !names.contains(name))
                .forEach(names::add);
        groups.add(row.worst()
                .map(finding -> Integer.toString(names.indexOf(finding.property())))
                .orElse("-"));
        var before = "";
        for (String name : names) {
            var group = row.find(name).map(this::group).orElse("-");
            groups.add(group.equals(before) ? "=" : group);
            before = group;
        }
        return String.join(" ", groups);
    }

    private String group(CellFinding finding) {
        var group = new StringBuilder()
                .append(finding.verdict().toString().charAt(0))
                .append(scopes.indexOf(finding.size()));
        if (finding.verdict().hasCounterexample()) {
            group.append('.').append(finding.run().steps());
            finding.run().loop().ifPresent(loop -> group.append('l').append(loop));
        }
        finding.bypassGrowth()
                .ifPresent(growth -> group.append('.')
                        .append(growth.bypasses().stream().map(String::valueOf).collect(Collectors.joining(","))));
        return group.toString();
    }
}
