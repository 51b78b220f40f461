// Colours for CUDA and PTX: enough to read by, not a compiler. A comment may go on over lines, nothing else does.
import { type Child, h } from "../shared/dom.ts";

type Kind = "comment" | "string" | "number" | "keyword" | "type" | "special" | "";
export type Piece = [kind: Kind, text: string];

const words = (text: string) => new Set(text.split(" "));
const keywords = words("if else for while do switch case default break continue return goto const constexpr static inline template " +
  "typename struct class union enum using namespace public private protected operator new delete sizeof this true false nullptr auto volatile extern");
const types = words("void bool char short int long unsigned signed float double size_t int8_t int16_t int32_t int64_t uint8_t uint16_t " +
  "uint32_t uint64_t dim3 float2 float3 float4 int2 int3 int4 uint2 uint3 uint4 double2 half");
const specials = words("threadIdx blockIdx blockDim gridDim warpSize __global__ __device__ __host__ __shared__ __constant__ __restrict__ " +
  "__forceinline__ __launch_bounds__ __syncthreads __syncwarp");

const tokens = {
  cuda: /\/\*|\/\/.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#\s*\w+|\b0[xX][\da-fA-F]+\w*|\b\d[\d.]*(?:[eE][+-]?\d+)?\w*|[A-Za-z_]\w*/g,
  ptx: /\/\*|\/\/.*|"[^"]*"?|[%$][\w.]+|@!?%\w+|\b0[xXfFdD][\da-fA-F]+|\b\d[\d.]*|^\s*(?:@!?%\w+\s+)?[a-z][\w.:]*|\.[a-z]\w*|[A-Za-z_]\w*/g,
};

function kindOf(token: string, ptx: boolean): Kind {
  const text = token.trim();
  if (text.startsWith("//")) return "comment";
  if (/^["']/.test(text)) return "string";
  if (/^\d/.test(text)) return "number";
  if (ptx) return /^[%$]/.test(text) ? "special" : text.startsWith(".") ? "type" : /^[@a-z]/.test(text) ? "keyword" : "";
  if (text.startsWith("#")) return "keyword";
  return keywords.has(text) ? "keyword" : types.has(text) ? "type" : specials.has(text) ? "special" : "";
}

// The pieces of a line, and whether a comment is open behind it.
export function pieces(line: string, ptx: boolean, inComment: boolean): { pieces: Piece[]; open: boolean } {
  const found: Piece[] = [], put = (kind: Kind, text: string) => text !== "" && found.push([kind, text]);
  const expression = new RegExp(tokens[ptx ? "ptx" : "cuda"]);
  let at = 0;
  const skipComment = (from: number) => {
    const end = line.indexOf("*/", from);
    put("comment", line.slice(at, end < 0 ? undefined : end + 2));
    at = end < 0 ? line.length : end + 2;
    return end < 0;
  };
  if (inComment && skipComment(0)) return { pieces: found, open: true };
  for (;;) {
    expression.lastIndex = at;
    const match = expression.exec(line);
    if (!match) break;
    put("", line.slice(at, match.index));
    at = match.index;
    if (match[0] === "/*") {
      if (skipComment(at + 2)) return { pieces: found, open: true };
      continue;
    }
    put(kindOf(match[0], ptx), match[0]);
    at += match[0].length;
  }
  put("", line.slice(at));
  return { pieces: found, open: false };
}

// A file, line by line.
export function highlighted(file: string, lines: string[]): Child[] {
  const ptx = file.endsWith(".ptx");
  let open = false;
  return lines.map((line) => {
    const read = pieces(line, ptx, open);
    open = read.open;
    return read.pieces.map(([kind, text]) => (kind === "" ? text : h("span", { class: `t-${kind}` }, text)));
  });
}
