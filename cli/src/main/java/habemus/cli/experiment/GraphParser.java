package habemus.cli.experiment;

import habemus.lab.graph.EdgeListParser;
import habemus.lab.graph.NamedGraphs;
import habemus.protocol.NodeId;
import habemus.world.Topology;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the graphs among the topologies: those with a name, and those given edge by edge. */
public final class GraphParser {

    /** What comes before edges, and before the name of a file with edges. */
    public static final String GRAPH_PREFIX = "graph:";

    static final String FILE = "file";

    private static final Pattern GRID = Pattern.compile("grid:(\\d{1,6})x(\\d{1,6})");
    private static final Pattern TREE = Pattern.compile("tree:(\\d{1,6})");
    private static final Pattern RANDOM = Pattern.compile("random:(\\d(?:\\.\\d{1,9})?)");
    private static final Pattern SCALE_FREE = Pattern.compile("scale-free(?::(\\d{1,6}))?");
    private static final String EDGE = "write an edge as 1-2 and a node without edges as 3";
    private static final String LINE = "write an edge a line, as 1 2 or n1 - n2, and what follows # is a remark";

    private final OptionValue optionValue;
    private final long seed;

    GraphParser(OptionValue optionValue, long seed) {
        this.optionValue = optionValue;
        this.seed = seed;
    }

    /** One that says itself how many nodes it has. */
    Topology parseExplicit() {
        var text = optionValue.text();
        if (text.startsWith(GRAPH_PREFIX)) {
            return inline(List.of(text.substring(GRAPH_PREFIX.length()).split(",", -1)));
        }
        return text.startsWith("grid") ? grid() : file(text.startsWith(FILE + ":") ? text.substring(5) : text);
    }

    /** One of so many nodes. */
    Topology generate(int size) {
        var text = optionValue.text();
        var tree = TREE.matcher(text);
        var random = RANDOM.matcher(text);
        var scaleFree = SCALE_FREE.matcher(text);
        if (text.equals("grid")) {
            int rows = rows(size);
            return NamedGraphs.grid(rows, size / rows);
        } else if (text.equals("tree")) {
            return NamedGraphs.tree(size, seed);
        } else if (tree.matches()) {
            return NamedGraphs.balancedTree(size, atLeastOne(tree.group(1), "children"));
        } else if (text.equals("random")) {
            return NamedGraphs.random(size, NamedGraphs.connectedEdgeProbability(size), seed);
        } else if (random.matches()) {
            return NamedGraphs.random(size, probability(random.group(1)), seed);
        } else if (scaleFree.matches()) {
            return scaleFree(size, scaleFree.group(1) == null ? "1" : scaleFree.group(1));
        }
        throw optionValue.invalid("is no topology", "write it as in tree:2, random:0.3 or scale-free:2");
    }

    /** The one nearest to a square: a prime number of nodes stand in a line. */
    private static int rows(int size) {
        int rows = (int) Math.sqrt(size);
        while (size % rows != 0) {
            rows--;
        }
        return rows;
    }

    private Topology grid() {
        var parts = GRID.matcher(optionValue.text());
        if (!parts.matches()) {
            throw optionValue.invalid("is no grid", "write it as in --topology grid:3x4");
        }
        int rows = atLeastOne(parts.group(1), "rows");
        int columns = atLeastOne(parts.group(2), "columns");
        if ((long) rows * columns >= NodeId.LIMIT) {
            throw optionValue.invalid("has too many nodes", "there are at most " + (NodeId.LIMIT - 1));
        }
        return NamedGraphs.grid(rows, columns);
    }

    private int atLeastOne(String number, String what) {
        if (Integer.parseInt(number) < 1) {
            throw optionValue.invalid("has no " + what, "it has at least one");
        }
        return Integer.parseInt(number);
    }

    private double probability(String text) {
        double probability = Double.parseDouble(text);
        if (probability > 1) {
            throw optionValue.invalid("has no probability", "it is from 0 to 1, as in --topology random:0.3");
        }
        return probability;
    }

    private Topology scaleFree(int size, String text) {
        int edges = atLeastOne(text, "edges");
        if (edges > size) {
            throw optionValue.invalid("needs " + edges + " nodes at least", "say -n " + edges + " or more");
        }
        return NamedGraphs.scaleFree(size, edges, seed);
    }

    private Topology inline(List<String> edges) {
        var list = new EdgeListParser();
        try {
            edges.forEach(list::add);
        } catch (IllegalArgumentException wrong) {
            throw optionValue.invalid("is no graph: " + wrong.getMessage(), EDGE);
        }
        return list.graph();
    }

    private Topology file(String name) {
        var list = new EdgeListParser();
        int number = 0;
        for (String line : lines(name)) {
            number++;
            var text = line.replaceFirst("#.*", "").strip();
            try {
                if (!text.isEmpty()) {
                    list.add(text);
                }
            } catch (IllegalArgumentException wrong) {
                throw optionValue.invalid("is no graph: line " + number + ": " + wrong.getMessage(), LINE);
            }
        }
        if (list.isEmpty()) {
            throw optionValue.invalid("has no nodes", LINE);
        }
        return list.graph();
    }

    private List<String> lines(String name) {
        try {
            return Files.readAllLines(Path.of(name));
        } catch (NoSuchFileException | InvalidPathException missing) {
            throw optionValue.invalid("does not exist", LINE);
        } catch (CharacterCodingException binary) {
            throw optionValue.invalid("is no text", LINE);
        } catch (IOException unreadable) {
            throw optionValue.invalid("cannot be read: " + unreadable.getMessage(), LINE);
        }
    }
}
