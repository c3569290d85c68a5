package habemus.lab.source;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import org.jspecify.annotations.Nullable;

/**
 * Rejects the source of an algorithm that is not pure: with mutable fields, arrays in states, clocks, threads, random
 * numbers, files or unordered collections. The error names the line. It also finds out whether the algorithm needs a
 * ring.
 */
final class PurityInspection {

    private static final Pattern IMPURE_TYPES =
            Pattern.compile("java\\.lang\\.(System|Runtime|Process.*|Thread.*|.*ThreadLocal)"
                    + "|java\\.time\\.(Clock|Instant|Local.*|Zoned.*)"
                    + "|java\\.util\\.(.*Random|UUID|(Linked)?Hash(Map|Set)|Map|Set|Timer.*)"
                    + "|java\\.util\\.(concurrent|random)\\..*|java\\.util\\.stream\\.Collectors|java\\.n?io\\..*");
    private static final Set<String> ORDER_TYPES =
            Set.of("HashMap", "HashSet", "LinkedHashMap", "LinkedHashSet", "Map", "Set", "Collectors");

    private final SourceFile file;
    private boolean usesRing;

    PurityInspection(SourceFile file) {
        this.file = file;
    }

    /** Whether the algorithm asks for the next or the previous node of a ring. */
    boolean usesRing() {
        return usesRing;
    }

    /** @throws InvalidSourceException if the algorithm is not pure */
    void inspect(JavacTask task, Iterable<? extends CompilationUnitTree> units) {
        var trees = Trees.instance(task);
        for (CompilationUnitTree unit : units) {
            new Scanner(trees, unit).scan(unit, null);
        }
    }

    private final class Scanner extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final Trees trees;
        private final CompilationUnitTree unit;

        Scanner(Trees trees, CompilationUnitTree unit) {
            this.trees = trees;
            this.unit = unit;
        }

        @Override
        public @Nullable Void visitImport(ImportTree tree, @Nullable Void nothing) {
            return null; // what is imported is rejected where it is used
        }

        @Override
        public @Nullable Void visitIdentifier(IdentifierTree tree, @Nullable Void nothing) {
            inspectUse(tree);
            return super.visitIdentifier(tree, null);
        }

        @Override
        public @Nullable Void visitMemberSelect(MemberSelectTree tree, @Nullable Void nothing) {
            inspectUse(tree);
            return super.visitMemberSelect(tree, null);
        }

        @Override
        public @Nullable Void visitMemberReference(MemberReferenceTree tree, @Nullable Void nothing) {
            inspectUse(tree);
            return super.visitMemberReference(tree, null);
        }

        @Override
        public @Nullable Void visitVariable(VariableTree tree, @Nullable Void nothing) {
            var element = trees.getElement(getCurrentPath());
            if (element != null && element.getKind() == ElementKind.FIELD) {
                inspectField(tree, element);
            }
            return super.visitVariable(tree, null);
        }

        private void inspectUse(Tree tree) {
            var element = trees.getElement(getCurrentPath());
            if (element instanceof TypeElement type
                    && IMPURE_TYPES.matcher(type.getQualifiedName()).matches()) {
                throw rejected(tree, "an algorithm must not use " + type.getSimpleName() + reason(type), hint(type));
            }
            if (element instanceof ExecutableElement method) {
                inspectCall(tree, method);
            }
        }

        private void inspectCall(Tree tree, ExecutableElement method) {
            var owner = String.valueOf(method.getEnclosingElement());
            var name = method.getSimpleName().toString();
            if (owner.equals("java.lang.Math") && name.equals("random")) {
                throw rejected(tree, "an algorithm must not draw random numbers itself", drawHint());
            }
            usesRing |=
                    owner.equals("habemus.protocol.Neighbourhood") && (name.equals("next") || name.equals("previous"));
        }

        private void inspectField(VariableTree tree, Element field) {
            if (!field.getModifiers().contains(Modifier.FINAL)) {
                throw rejected(
                        tree,
                        "field '" + field.getSimpleName() + "' is mutable (a step must not change anything)",
                        "keep what changes in the state, a record, and return the next state in the Step");
            }
            if (field.asType().getKind() == TypeKind.ARRAY
                    && !field.getModifiers().contains(Modifier.STATIC)) {
                throw rejected(
                        tree,
                        "field '" + field.getSimpleName() + "' is an array (arrays compare by reference)",
                        "use a List, made by List.of or List.copyOf");
            }
        }

        private InvalidSourceException rejected(Tree tree, String message, String hint) {
            long position = trees.getSourcePositions().getStartPosition(unit, tree);
            var lines = unit.getLineMap();
            var line = new SourceLine(
                    file.name(), file.text(), lines.getLineNumber(position), lines.getColumnNumber(position));
            return new InvalidSourceException(
                    line.location() + ": " + message, line.quote().toList(), hint);
        }
    }

    private static String reason(TypeElement type) {
        return ORDER_TYPES.contains(type.getSimpleName().toString())
                ? " (its order differs between runs)"
                : " (a step depends on its arguments alone)";
    }

    private static String hint(TypeElement type) {
        var name = type.getSimpleName().toString();
        if (ORDER_TYPES.contains(name)) {
            return "use List, NodeSet, TreeMap or TreeSet";
        }
        return name.contains("Random") || name.equals("UUID")
                ? drawHint()
                : "implement Timed and call setTimer: time is an event of the algorithm";
    }

    private static String drawHint() {
        return "implement Randomized and call draw(bound): the world draws, and the checker tries every value";
    }
}
