#include <array>
#include <string>

#include "workloads/dg/mesh.h"
#include "workloads/namd/sums.h"

namespace heddle::workloads::dg {

namespace {

constexpr size_t kFields = 6, kValues = kFields * kNodes;  // of an element
constexpr float kTimeStep = 0.01f;

// Carpenter and Kennedy's five stages of fourth order (1994).
struct Stage {
  float keep, weight;
};
constexpr std::array<Stage, 5> kStages = {
    {{0.0f, float(1432997174477.0 / 9575080441755.0)},
     {float(-567301805773.0 / 1357537059087.0), float(5161836677717.0 / 13612068292357.0)},
     {float(-2404267990393.0 / 2016746695238.0), float(1720146321549.0 / 2090206949498.0)},
     {float(-3550918686646.0 / 2091501179385.0), float(3134564353537.0 / 4481467310338.0)},
     {float(-1275806237668.0 / 842570457699.0), float(2277821191437.0 / 14882151754819.0)}}};

float component(const Vector& vector, size_t i) { return i == 0 ? vector.r : i == 1 ? vector.s : vector.t; }

// Adds `times` the derivative of a field of an element along an axis.
void add_derivative(Sums& sums, size_t at, double times, const Element& element, const Mesh& mesh, size_t k,
                    size_t axis, const float* field) {
  const Vector& gradient = mesh.gradients[3 * k + axis];
  for (size_t other = 0; other < kNodes; ++other)
    for (size_t node = 0; node < kNodes; ++node) {
      const Vector& d = element.derivative[other * kNodes + node];
      double slope = 0, size = 0;
      for (size_t i = 0; i < 3; ++i) {
        slope += double{component(gradient, i)} * component(d, i);
        size += std::abs(component(gradient, i) * component(d, i));
      }
      sums.add(at + node, times * slope * field[other], size * field[other]);
    }
}

Sums volume_on_cpu(const Element& element, const Mesh& mesh, const std::vector<float>& fields) {
  Sums change(fields.size());
  for (size_t k = 0; k < mesh.elements; ++k)
    for (size_t axis = 0; axis < 3; ++axis) {
      const size_t next = (axis + 1) % 3, last = (axis + 2) % 3, first = k * kValues;
      const float* magnetic = &fields[first];
      const float* electric = magnetic + 3 * kNodes;
      const size_t at_magnetic = first + axis * kNodes, at_electric = at_magnetic + 3 * kNodes;
      add_derivative(change, at_magnetic, -1, element, mesh, k, next, electric + last * kNodes);
      add_derivative(change, at_magnetic, 1, element, mesh, k, last, electric + next * kNodes);
      add_derivative(change, at_electric, 1, element, mesh, k, next, magnetic + last * kNodes);
      add_derivative(change, at_electric, -1, element, mesh, k, last, magnetic + next * kNodes);
    }
  return change;
}

struct Flux {
  std::array<double, kFields> values, sizes;
};

Flux flux_on_cpu(const Face& face, const FaceNode& point, const std::vector<float>& fields, size_t first) {
  std::array<double, kFields> jump, size;
  for (size_t f = 0; f < kFields; ++f) {
    const double mine = fields[first + f * kNodes + point.mine], mirrored = f < 3 ? mine : -mine;
    const double theirs = point.theirs >= 0 ? fields[point.theirs + f * kNodes] : mirrored;
    jump[f] = theirs - mine;
    size[f] = std::abs(theirs) + std::abs(mine);
  }
  const std::array<double, 3> normal = {face.x, face.y, face.z};
  Flux flux{};
  for (size_t axis = 0; axis < 3; ++axis) {
    const size_t next = (axis + 1) % 3, last = (axis + 2) % 3;
    for (size_t of : {size_t{0}, size_t{3}}) {
      const size_t turned = 3 - of;  // each field turns the other
      double value = jump[of + axis];
      for (size_t i = 0; i < 3; ++i) value -= normal[i] * jump[of + i] * normal[axis];
      const double turn = normal[next] * jump[turned + last] - normal[last] * jump[turned + next];
      flux.values[of + axis] = face.scale / 2.0 * (of == 0 ? value - turn : value + turn);
      flux.sizes[of + axis] =
          face.scale / 2.0 *
          (2 * (size[of] + size[of + 1] + size[of + 2]) + size[turned] + size[turned + 1] + size[turned + 2]);
    }
  }
  return flux;
}

// On top of what the volume kernel left.
Sums surface_on_cpu(const Element& element, const Mesh& mesh, const std::vector<float>& fields,
                    const std::vector<float>& change) {
  Sums result(fields.size());
  for (size_t i = 0; i < change.size(); ++i) result.add(i, change[i], change[i]);
  for (size_t k = 0; k < mesh.elements; ++k)
    for (size_t i = 0; i < kAllFaceNodes; ++i) {
      const Flux flux = flux_on_cpu(mesh.faces[k * kFaces + i / kFaceNodes], mesh.face_nodes[k * kAllFaceNodes + i],
                                    fields, k * kValues);
      for (size_t f = 0; f < kFields; ++f)
        for (size_t node = 0; node < kNodes; ++node) {
          const double weight = element.lift[i * kNodes + node];
          result.add(k * kValues + f * kNodes + node, weight * flux.values[f], weight * flux.sizes[f]);
        }
    }
  return result;
}

struct Updated {
  Sums residual, fields;
};

Updated update_on_cpu(const Stage& stage, const std::vector<float>& fields, const std::vector<float>& residual,
                      const std::vector<float>& change) {
  Updated updated{Sums(fields.size()), Sums(fields.size())};
  for (size_t i = 0; i < fields.size(); ++i) {
    const double kept = double{stage.keep} * residual[i], added = double{kTimeStep} * change[i];
    updated.residual.add(i, kept, kept);
    updated.residual.add(i, added, added);
    updated.fields.add(i, fields[i], fields[i]);
    updated.fields.add(i, stage.weight * (kept + added), stage.weight * updated.residual.sizes[i]);
  }
  return updated;
}

std::vector<float> random_fields(const Mesh& mesh) {
  Random random(1);
  std::vector<float> fields(mesh.elements * kValues);
  for (float& value : fields) value = random.between(-1.0f, 1.0f);
  return fields;
}

// The fields on the device, and each stage's kernels checked one by one from what they began with.
class Simulation {
 public:
  Simulation(Device& device, const Element& element, const Mesh& mesh)
      : device_(device),
        element_(element),
        mesh_(mesh),
        fields_(device, random_fields(mesh), "fields"),
        residual_(device, fields_.size(), "residual"),
        change_(device, fields_.size(), "change"),
        derivative_(device, element.derivative, "derivative matrices"),
        gradients_(device, mesh.gradients, "gradients"),
        face_nodes_(device, mesh.face_nodes, "face nodes"),
        faces_(device, mesh.faces, "faces"),
        lift_(device, element.lift, "lift matrix") {}

  Check run(const Stage& stage) {
    const std::vector<float> fields = fields_.download(), residual = residual_.download();
    device_.launch("volume", {.grid = {mesh_.elements}, .block = {kNodes}},
                   Arguments(fields_.address(), derivative_.address(), gradients_.address(), change_.address()));
    const std::vector<float> inside = change_.download();
    device_.launch(
        "surface", {.grid = {mesh_.elements}, .block = {kAllFaceNodes}},
        Arguments(fields_.address(), face_nodes_.address(), faces_.address(), lift_.address(), change_.address()));
    const std::vector<float> change = change_.download();
    const auto count = static_cast<uint32_t>(fields.size());
    device_.launch("update", {.grid = {ceil_div(count, 256)}, .block = {256}},
                   Arguments(fields_.address(), residual_.address(), change_.address(), stage.keep, stage.weight,
                             kTimeStep, count));
    const Updated updated = update_on_cpu(stage, fields, residual, change);
    // A term is rounded with every sum it is in, that is once per node, and a few times before and after.
    return all_of({compare_sums("volume", volume_on_cpu(element_, mesh_, fields), inside, kNodes + 8),
                   compare_sums("surface", surface_on_cpu(element_, mesh_, fields, inside), change, kAllFaceNodes + 12),
                   compare_sums("residual", updated.residual, residual_.download(), 3),
                   compare_sums("fields", updated.fields, fields_.download(), 5)});
  }

 private:
  Device& device_;
  const Element& element_;
  const Mesh& mesh_;
  Buffer<float> fields_, residual_, change_;
  Buffer<Vector> derivative_, gradients_;
  Buffer<FaceNode> face_nodes_;
  Buffer<Face> faces_;
  Buffer<float> lift_;
};

}  // namespace

// One time step of five stages; the first of them only in the smaller sizes.
Check run(Device& device, Size size) {
  struct Shape {
    uint32_t x, y, z, elements;
  };
  const Shape shape = by_size<Shape>(size, {1, 1, 1, 3}, {2, 2, 1, 24}, {5, 3, 3, 268});
  const Element element;
  const Mesh mesh = box_mesh(element, shape.x, shape.y, shape.z, shape.elements);
  Simulation simulation(device, element, mesh);
  Check check;
  for (size_t stage = 0; stage < by_size<size_t>(size, 1, 3, 2); ++stage)
    check = all_of({check, simulation.run(kStages[stage])});
  return check;
}

}  // namespace heddle::workloads::dg
